"""Draw the graph of a home as a picture: ``python docs/make_graph_picture.py HOME OUT.png``.

Shows the largest connected part: nodes coloured by type, edges labelled with their relation.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.home import Home

COLOURS = {
    "person": "#e4a11b",
    "organization": "#3b7dd8",
    "place": "#3a9d5d",
    "system": "#8a5bd1",
    "document": "#999999",
}


def main(home: Home, out: Path) -> None:
    """Write the picture."""
    import matplotlib.pyplot as plt
    import networkx as nx

    with home.store().connect(read_only=True) as connection:
        rows = connection.execute(
            "select s.name, s.type, e.relation, o.name, o.type from edges e "
            "join entities s on s.entity_id = e.subject_id join entities o on o.entity_id = e.object_id "
            "order by s.name, e.relation, o.name"
        ).fetchall()
    graph = nx.DiGraph()
    for subject, subject_type, relation, target, target_type in rows:
        graph.add_node(subject, kind=subject_type)
        graph.add_node(target, kind=target_type)
        graph.add_edge(subject, target, label=relation)
    largest = graph.subgraph(max(nx.weakly_connected_components(graph), key=len))
    place = nx.kamada_kawai_layout(largest.to_undirected())
    figure = plt.figure(figsize=(22, 15))
    colours = [COLOURS.get(str(data["kind"]).lower(), "#c76b6b") for _, data in largest.nodes(data=True)]
    sizes = [120 + 90 * degree for _, degree in largest.degree()]
    nx.draw_networkx_edges(largest, place, edge_color="#bbbbbb", arrowsize=9, node_size=sizes)
    nx.draw_networkx_nodes(largest, place, node_color=colours, node_size=sizes, alpha=0.9)
    nx.draw_networkx_labels(largest, place, font_size=8.5)
    labels = nx.get_edge_attributes(largest, "label")
    nx.draw_networkx_edge_labels(largest, place, labels, font_size=6.5, font_color="#666666", rotate=False)
    plt.axis("off")
    figure.savefig(out, dpi=80, bbox_inches="tight")


if __name__ == "__main__":
    main(Home(Path(sys.argv[1]).resolve()), Path(sys.argv[2]))
