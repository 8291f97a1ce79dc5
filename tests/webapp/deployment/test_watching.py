"""The scrape configuration, alerts and board in the real Prometheus, which reads the real gunicorn behind the
real nginx; and the board against Grafana's published schema.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

from tests.waiting import MAX_WAIT_S, until
from tests.webapp.deployment.site import HERE, Proxy
from tests.webapp.live_server import free_port
from webapp.monitoring import counters
from webapp.probes.scrape import CurrentStateCollector
from webapp.runs.cache import SharedCache

BOARD = json.loads((HERE / "grafana.json").read_text())
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
EXPRESSIONS = [target["expr"] for panel in PANELS for target in panel["targets"]]
RULES = (HERE / "alerts.yml").read_text()
SELECTOR = re.compile(r"(gantry_\w+|up)(?:\{([^}]*)\})?")
# what fires each alert: values a minute, as promtool's unit tests write them
FIRES = {
    "GantryDown": {'up{job="gantry"}': "0x60"},
    "GantryDatabaseAway": {"gantry_database_up": "0x60"},
    "GantryNoWorkProcess": {
        'gantry_works{state="queued"}': "3x60",
        'gantry_process_resident_memory_bytes{role="web"}': "1e8x60",
    },
    "GantryCacheAway": {"gantry_cache_up": "0x60"},
    "GantryWorkWaits": {"gantry_work_oldest_wait_seconds": "0+60x60"},
    "GantryErrors": {
        'gantry_http_requests_total{status="200"}': "0+98x60",
        'gantry_http_requests_total{status="500"}': "0+2x60",
    },
    "GantryPageSlow": {
        'gantry_http_request_duration_seconds_bucket{route="/",le="1"}': "0+9x60",
        'gantry_http_request_duration_seconds_bucket{route="/",le="3"}': "0+10x60",
        'gantry_http_request_duration_seconds_bucket{route="/",le="+Inf"}': "0+10x60",
        'gantry_http_request_duration_seconds_bucket{route="/jobs/run/<act>",le="+Inf"}': "0+9x60",
    },
    "GantryMemory": {
        'gantry_process_resident_memory_bytes{role="web"}': "2e9x60",
        'gantry_process_resident_memory_bytes{role="work"}': "1e9x60",
    },
}
WELL = {
    'up{job="gantry"}': "1x60",
    "gantry_database_up": "1x60",
    "gantry_cache_up": "1x60",
    'gantry_works{state="queued"}': "3x60",
    'gantry_process_resident_memory_bytes{role="work"}': "2e9x60",
    "gantry_work_oldest_wait_seconds": "100x60",
    'gantry_http_requests_total{status="200"}': "0+1000x60",
    'gantry_http_requests_total{status="500"}': "0+1x60",
    'gantry_http_request_duration_seconds_bucket{route="/",le="1"}': "0+10x60",
    'gantry_http_request_duration_seconds_bucket{route="/",le="+Inf"}': "0+10x60",
}

# of a server on which nobody has run anything and nothing has failed
UNUSED = {
    "gantry_cache_failures_total",
    "gantry_cache_lookups_total",
    "gantry_containers_simulated_total",
    "gantry_database_failures_total",
    "gantry_runs_total",
    "gantry_work_duration_seconds_bucket",
    "gantry_work_wait_seconds_bucket",
    "gantry_works_ended_total",
}


@pytest.fixture(scope="session")
def promtool() -> str:
    return shutil.which("promtool") or pytest.skip("no promtool on this machine: its package is prometheus")


@pytest.fixture
def counted(cache: SharedCache) -> dict[str, set[str]]:
    """The labels of each name that /metrics may tell."""
    names = {"up": set()}
    for counter in vars(counters).values():
        if isinstance(counter, (counters.Counter, counters.Histogram)):
            for suffix in ("_total",) if isinstance(counter, counters.Counter) else ("_bucket", "_count"):
                names[f"{counter._name}{suffix}"] = {*counter._labelnames, "le"}
    for family in CurrentStateCollector().collect():
        names[family.name] = {label for sample in family.samples for label in sample.labels}
    return names


@pytest.fixture(scope="module")
def prometheus(proxy: Proxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one that has read Gantry's numbers twice since the page was opened."""
    program = shutil.which("prometheus") or pytest.skip(
        "no prometheus on this machine: its package is prometheus"
    )
    folder, address = tmp_path_factory.mktemp("prometheus"), f"127.0.0.1:{free_port()}"
    configuration = (HERE / "prometheus.yml").read_text()
    for old, new in {"127.0.0.1:8051": f"127.0.0.1:{proxy.inner}", "15s": "200ms"}.items():
        assert old in configuration, old
        configuration = configuration.replace(old, new)
    (folder / "prometheus.yml").write_text(configuration)
    (folder / "alerts.yml").write_text(RULES)
    assert proxy.get("/").status == 200
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                program,
                f"--web.listen-address={address}",
                "--config.file=prometheus.yml",
                "--storage.tsdb.path=data",  # Debian's own would be kept, and is one for the machine
            ],
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        until(lambda: process.poll() is not None or _has(address, "count_over_time(gantry_works[1m]) > 2"))
        assert process.poll() is None, (folder / "log").read_text()
        yield address
    finally:
        process.terminate()
        process.wait(MAX_WAIT_S)


def _has(address: str, expression: str) -> bool:
    try:
        return bool(_ask(address, "query", query=expression)["result"])
    except OSError:  # it does not answer yet
        return False


def _ask(address: str, path: str, **values: str) -> Any:
    query = urllib.parse.urlencode(values)
    with urllib.request.urlopen(f"http://{address}/api/v1/{path}?{query}", timeout=MAX_WAIT_S) as answer:
        return json.load(answer)["data"]


def _filled(expression: str) -> str:
    """As Grafana asks it, with all servers chosen."""
    return expression.replace("$instance", ".*").replace("$__rate_interval", "1m")


@pytest.mark.parametrize("expression", [*EXPRESSIONS, RULES])
def test_an_expression_asks_for_what_is_counted(expression: str, counted: dict[str, set[str]]) -> None:
    found = SELECTOR.findall(re.sub(r"\bby \([^)]*\)|#.*|summary:.*|description:.*", "", expression))
    assert found
    for name, selected in found:
        assert name in counted
        labels = set(re.findall(r'(\w+)[=!]~?"', selected))
        assert labels <= {*counted[name], "instance", "job"}


def test_promtool_finds_nothing_wrong(promtool: str) -> None:
    done = subprocess.run(
        [promtool, "check", "config", str(HERE / "prometheus.yml")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(FIRES)} rules found" in done.stdout


def test_each_alert_fires_when_it_should_and_none_where_all_is_well(promtool: str, tmp_path: Path) -> None:
    tests = [
        {
            "interval": "1m",
            "input_series": [
                {"series": series, "values": re.sub(r"^([\d.e]+)x", r"\1+0x", values)}
                for series, values in asked.items()
            ],
            "promql_expr_test": [
                {
                    "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                    "eval_time": "30m",
                    "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1}] if alert else [],
                }
            ],
        }
        for alert, asked in [*FIRES.items(), ("", WELL)]
    ]
    (tmp_path / "alerts.yml").write_text(RULES)
    (tmp_path / "tests.yml").write_text(json.dumps({"rule_files": ["alerts.yml"], "tests": tests}))
    done = subprocess.run(
        [promtool, "test", "rules", "tests.yml"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_real_prometheus_answers_the_whole_board(prometheus: str) -> None:
    empty = {
        SELECTOR.findall(expression)[0][0]
        for expression in EXPRESSIONS
        if not _ask(prometheus, "query", query=_filled(expression))["result"]
    }
    assert empty <= UNUSED
    version = _ask(prometheus, "query", query=_filled(PANELS[5]["targets"][0]["expr"]))["result"]
    assert [one["value"][1] for one in version] == ["1"]


def test_its_rules_are_evaluated_and_all_is_well(prometheus: str) -> None:
    def rules() -> list[dict]:
        return _ask(prometheus, "rules")["groups"][0]["rules"]

    until(lambda: all(rule["health"] != "unknown" for rule in rules()))
    found = {rule["name"]: (rule["health"], rule["state"]) for rule in rules()}
    assert found == dict.fromkeys(FIRES, ("ok", "inactive"))


def test_grafanas_schema_knows_all_of_the_board() -> None:
    register_default_plugins()
    known = json.loads(JSONEncoder().encode(Dashboard.from_json(BOARD)))
    assert list(_unknown(BOARD, known)) == []

    assert list(_unknown({**BOARD, "panel": []}, known)) == [".panel"]


def _unknown(written: Any, known: Any, place: str = "") -> Iterator[str]:
    """Where something that was written is not among what is known."""
    if isinstance(written, dict) and isinstance(known, dict):
        for key, value in written.items():
            if key in known:
                yield from _unknown(value, known[key], f"{place}.{key}")
            else:
                yield f"{place}.{key}"
    elif isinstance(written, list) and isinstance(known, list) and len(written) == len(known):
        for index, (value, other) in enumerate(zip(written, known)):
            yield from _unknown(value, other, f"{place}[{index}]")
    elif written != known:
        yield place


def test_the_board_is_laid_out_without_overlaps_and_explains_itself() -> None:
    cells = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        own = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not own & cells and place["x"] + place["w"] <= 24
        cells |= own
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert all(panel["description"] and panel["fieldConfig"]["defaults"]["unit"] for panel in PANELS)
