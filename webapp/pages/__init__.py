"""The pages and what stands around each of them.

May import: panels, services, theme.
"""

from __future__ import annotations

import dash
import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html

from engine import guides
from webapp import panels, theme
from webapp.pages import checked, limits, main, not_found, papers, schedulers
from webapp.panels import header

ABOUT = "See every container that Hadoop YARN's schedulers start for a batch of MapReduce jobs, and compare the schedulers side by side."
THEME = {
    "primaryColor": "indigo",
    "primaryShade": {"light": 8, "dark": 7},  # white reads on both, 4.5:1
    "defaultRadius": "sm",
    "fontFamily": "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
    "cursorType": "pointer",
}


def index(icon: str) -> str:
    """The document around every page, as Dash fills it in; icon: the address of its picture."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
{{%metas%}}
<meta name="color-scheme" content="light dark">
<title>{{%title%}}</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
{{%css%}}
<style>{theme.css()}</style>
</head>
<body>
{{%app_entry%}}
<footer>{{%config%}}{{%scripts%}}{{%renderer%}}</footer>
</body>
</html>"""


PLAIN = {"", "checked-against-hadoop", "model", "papers", "schedulers"}


def exists(path: str) -> bool:
    """Whether there is a page at this path, which comes without its outer slashes; any other shows that nothing is here."""
    room, _, name = path.partition("/")
    return path in PLAIN or (room == "schedulers" and name in guides()) or (room == "papers" and papers.known(name))


def register(app: Dash) -> None:
    """Every page, the frame around them, and every panel's callbacks."""
    app.index_string = index(app.get_asset_url("favicon.svg"))
    dash.register_page("main", path="/", description=ABOUT, title="Gantry: YARN schedulers side by side", name="Dashboard", layout=main.layout)
    dash.register_page("model", path="/model", description=ABOUT, title="Limits of the model - Gantry", name="Model", layout=limits.layout)
    title = "Checked against Hadoop"
    dash.register_page("checked", path="/checked-against-hadoop", description=ABOUT, title=f"{title} - Gantry", name=title, layout=checked.layout)
    dash.register_page("schedulers", path="/schedulers", description=ABOUT, title="Schedulers - Gantry", name="Schedulers", layout=schedulers.index)
    dash.register_page("scheduler", path_template="/schedulers/<name>", description=ABOUT, title=schedulers.title, name="Scheduler", layout=schedulers.layout)
    dash.register_page("papers", path="/papers", description=ABOUT, title="Papers - Gantry", name="Papers", layout=papers.index)
    dash.register_page("paper", path_template="/papers/<paper>", description=ABOUT, title="Papers - Gantry", name="Paper", layout=papers.of_paper)
    experiment = "/papers/<paper>/<experiment>"
    dash.register_page("experiment", path_template=experiment, description=ABOUT, title=papers.title, name="Experiment", layout=papers.layout)
    dash.register_page("not_found_404", title="Not found - Gantry", layout=not_found.layout)
    app.layout = dmc.MantineProvider(
        [
            html.A("Skip to the results", href="#results", className="skip"),
            header.layout(),
            html.P(id="notice", className="notice", role="alert"),
            dash.page_container,
            dcc.Store(id="scheme", storage_type="local"),
        ],
        id="mantine",
        theme=THEME,
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "scheme"),
        Output("scheme", "data"),
        Output("mantine", "forceColorScheme"),
        Input("turn-scheme", "n_clicks"),
        State("scheme", "data"),
    )
    app.clientside_callback(ClientsideFunction("gantry", "here"), Input("_pages_location", "pathname"))
    panels.register(app)
    main.register(app)
