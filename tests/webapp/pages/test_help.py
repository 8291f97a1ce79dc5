"""Help: each document is a page, its links and pictures lead somewhere, and no other file is served."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dash import Dash, html
from dash.development.base_component import Component
from flask.testing import FlaskClient

from tests.conftest import ROOT
from tests.phrases import phrase
from tests.webapp.layout_reading import as_json, words
from webapp import documents, pages
from webapp.pages import help

NAMES = sorted(documents.library().documents)
INDEX = """# Help

[one](how-to/one.md#a-part) [deep](../../engine/docs/index.md) [source](../app.py)
[out](https://example.org) [bad](javascript:x)
"""
ONE = """# One `thing`

## A part

![a](../a.png) ![b](../b.png)

1. first
2. *second*

<a id="RULE-1"></a>

<script>x</script>

| h |
|---|
| [up](../index.md) [here](#a-part) |

```sh
make
```
"""
FILES = {
    "webapp/docs/index.md": INDEX,
    "webapp/docs/how-to/one.md": ONE,
    "engine/docs/index.md": "# Engine\n",
    "webapp/app.py": "secret",
}


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    app = Dash("test")
    app.layout = html.Div()
    help.register(app)
    return app.server.test_client()


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> documents.Library:
    """Two documents of the page's, one of the engine's, a picture, and a file that is none of them."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "webapp/docs/a.png").write_bytes(b"picture")
    result = documents.library(tmp_path)
    monkeypatch.setattr(help, "library", lambda: result)
    return result


def parts(page: Component, kind: type[Component]) -> list[Component]:
    return [part for part in page._traverse() if isinstance(part, kind)]


def files(page: Component) -> list[html.A]:
    """The links that download."""
    return [link for link in parts(page, html.A) if hasattr(link, "download")]


def test_documents_are_named_by_their_place(small: documents.Library) -> None:
    assert set(small.documents) == {"", "how-to/one", "engine"}
    assert small.documents["how-to/one"].title == "One thing"


@pytest.mark.usefixtures("small", "client")
def test_links_lead_to_pages_sections_and_other_sites_and_name_other_files() -> None:
    page = help.index()
    links = {words(link): link.href for link in parts(page, html.A)}
    assert (
        links["one"] == "/help/how-to/one#doc-a-part"
        and links["deep"] == "/help/engine"
        and links["out"] == "https://example.org"
    )
    assert "source" not in links and "webapp/app.py" in words(page)
    assert "bad" not in links


@pytest.mark.usefixtures("small")
def test_a_page_has_all_of_its_document(client: FlaskClient) -> None:
    page = help.layout("how-to/one")
    assert [part.id for part in parts(page, html.H2)] == ["doc-a-part"]
    assert [(part.src, part.alt) for part in parts(page, html.Img)] == [
        ("/help/files/webapp/docs/a.png", "a")
    ]
    assert [words(part).strip() for part in parts(page, html.Li)] == ["first", "second"]
    assert [part.id for part in parts(page, html.Span) if getattr(part, "id", None)] == ["doc-RULE-1"]
    assert "script" not in as_json(page)
    assert [link.href for link in parts(page, html.Table)[0]._traverse() if isinstance(link, html.A)] == [
        "/help",
        "#doc-a-part",
    ]
    assert words(parts(page, html.Pre)).strip() == "make"
    answer = client.get("/help/files/webapp/docs/a.png")
    assert (answer.data, answer.mimetype) == (b"picture", "image/png")


@pytest.mark.parametrize(
    "path",
    [
        "webapp/docs/b.png",
        "webapp/docs/b.ipynb",
        "webapp/docs/index.md",
        "webapp/app.py",
        "../app.py",
        "..%2f..%2fapp.py",
    ],
)
@pytest.mark.usefixtures("small")
def test_no_other_file_is_served(path: str, client: FlaskClient) -> None:
    assert b"secret" not in client.get(f"/help/files/{path}").data
    assert client.get(f"/help/files/{path}").status_code == 404


@pytest.mark.parametrize("name", ["nothing", "../README", "tutorial.md", "tutorial/", "", "x" * 5000, "\x00"])
def test_a_name_that_none_has_is_no_page(name: str) -> None:
    Dash("test")
    assert phrase("pages.this_address_has_no_page") in as_json(help.layout(name))
    assert help.title(name) == "Not found - Gantry" or name == ""
    assert not pages.has_page(f"help/{name}")


@pytest.mark.parametrize("name", NAMES)
def test_every_document_is_a_page(name: str, client: FlaskClient) -> None:
    document = documents.library().documents[name]
    page = help.layout(name) if name else help.index()
    assert help.title(name) == f"{document.title} - Gantry" and pages.has_page(f"help/{name}".rstrip("/"))
    assert len(parts(page, html.H1)) == 1
    kinds = {node.type for node in document.tree.walk()} - {"root"}
    assert kinds <= set(help.TAGS) | set(help.OTHERS), "a kind of node that is not shown"
    for link in set(parts(page, html.A)) - set(files(page)):
        place = re.fullmatch(r"/help/?([^#]*)#?(.*)", link.href)
        assert not place or place[1] in documents.library().documents
    for picture in parts(page, html.Img):
        assert picture.alt and client.get(picture.src).status_code == 200
    assert document.path not in words(page)
    written = (ROOT / document.path).read_text("utf-8")
    assert written.count("![") == len(parts(page, html.Img))
    downloads = {link.download: client.get(link.href).text for link in files(page)}
    notebook = {Path(document.path).name: written}
    assert downloads == (notebook if document.path.endswith(".ipynb") else {})


def test_every_document_can_be_reached() -> None:
    Dash("test")
    reached, open_ = {""}, [""]
    while open_:
        page = help.layout(name) if (name := open_.pop()) else help.index()
        for link in set(parts(page, html.A)) - set(files(page)):
            place = re.fullmatch(r"/help/?([^#]*)(#.*)?", link.href)
            if place and place[1] not in reached:
                reached.add(place[1])
                open_.append(place[1])
    assert reached == set(NAMES)
