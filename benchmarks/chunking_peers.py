"""Other chunkers at the same target, each as ``text -> pieces``; those that are not installed are left out.

Every peer counts with the same tokenizer, at the tier's target and 17.5 % overlap, as its own documentation
shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from benchmarks.chunking_data import ENCODING
from benchmarks.chunking_scores import Piece
from pipeline.tokens import token_counter

Chunker = Callable[[str], list[Piece]]
OVERLAP = 0.175


def installed() -> Iterator[tuple[str, Callable[[int], Chunker]]]:
    """Name and factory (by target tokens) of every peer that can be imported."""
    for module, name, factory in (
        ("chonkie", "chonkie token", chonkie_token),
        ("chonkie", "chonkie sentence", chonkie_sentence),
        ("chonkie", "chonkie recursive", chonkie_recursive),
        ("langchain_text_splitters", "LangChain recursive", langchain_recursive),
        ("llama_index", "LlamaIndex sentence", llama_sentence),
        ("semantic_text_splitter", "semantic-text-splitter", semantic_text),
    ):
        if find_spec(module):
            yield name, factory


def _pieces(spans: Sequence[tuple[int, int]]) -> list[Piece]:
    return [Piece(start, end) for start, end in spans if end > start]


def _encoding() -> Any:
    """The encoding itself, for chonkie looks names up in the network; its types know only the name."""
    return token_counter(ENCODING).encoding


def chonkie_token(target: int) -> Chunker:
    """Fixed windows of tokens."""
    from chonkie import TokenChunker

    chunker = TokenChunker(tokenizer=_encoding(), chunk_size=target, chunk_overlap=int(target * OVERLAP))
    return lambda text: _pieces([(each.start_index, each.end_index) for each in chunker.chunk(text)])


def chonkie_sentence(target: int) -> Chunker:
    """Whole sentences up to the target."""
    from chonkie import SentenceChunker

    chunker = SentenceChunker(tokenizer=_encoding(), chunk_size=target, chunk_overlap=int(target * OVERLAP))
    return lambda text: _pieces([(each.start_index, each.end_index) for each in chunker.chunk(text)])


def chonkie_recursive(target: int) -> Chunker:
    """Paragraphs, lines, sentences, words, with the overlap refinery."""
    from chonkie import OverlapRefinery, RecursiveChunker

    encoding = _encoding()
    chunker = RecursiveChunker(tokenizer=encoding, chunk_size=target)
    refinery = OverlapRefinery(
        tokenizer=encoding, context_size=int(target * OVERLAP), method="prefix", merge=False
    )

    def chunk(text: str) -> list[Piece]:
        found = refinery(chunker.chunk(text))
        return _pieces(
            [(max(0, each.start_index - len(str(each.context or ""))), each.end_index) for each in found]  # type: ignore[union-attr]
        )

    return chunk


def _located(text: str, parts: Sequence[str]) -> list[Piece]:
    """Pieces found again in the text, moving forward only."""
    spans: list[tuple[int, int]] = []
    place = -1
    for part in parts:
        found = text.find(part, place + 1)
        if found >= 0:
            spans.append((found, found + len(part)))
            place = found
    return _pieces(spans)


def langchain_recursive(target: int) -> Chunker:
    """RecursiveCharacterTextSplitter with a token length function."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter  # pyright: ignore[reportMissingImports]

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=target, chunk_overlap=int(target * OVERLAP), length_function=token_counter(ENCODING).count
    )
    return lambda text: _located(text, splitter.split_text(text))


def llama_sentence(target: int) -> Chunker:
    """SentenceSplitter over one document."""
    from llama_index.core import Document  # pyright: ignore[reportMissingImports]
    from llama_index.core.node_parser import SentenceSplitter  # pyright: ignore[reportMissingImports]

    encoding = token_counter(ENCODING).encoding
    splitter = SentenceSplitter(
        chunk_size=target,
        chunk_overlap=int(target * OVERLAP),
        tokenizer=lambda text: encoding.encode(text, disallowed_special=()),
        include_metadata=False,
    )

    def chunk(text: str) -> list[Piece]:
        nodes = splitter.get_nodes_from_documents([Document(text=text)])
        return _pieces(
            [(node.start_char_idx, node.end_char_idx) for node in nodes if node.start_char_idx is not None]
        )

    return chunk


def semantic_text(target: int) -> Chunker:
    """TextSplitter of the Rust crate, counting with the same encoding."""
    from semantic_text_splitter import TextSplitter  # pyright: ignore[reportMissingImports]

    splitter = TextSplitter.from_tiktoken_model("gpt-4", target, int(target * OVERLAP))
    return lambda text: _pieces([(start, start + len(part)) for start, part in splitter.chunk_indices(text)])
