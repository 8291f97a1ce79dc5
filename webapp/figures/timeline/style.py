"""The look of the drawings: colours by class, hatches and textures, for the page, for what is printed and for
files.
"""

from __future__ import annotations

from webapp import theme
from webapp.figures.timeline import svg
from webapp.figures.timeline.colouring import OWNER_COLOURS

HATCH_PX = 6
WASTED_OPACITY = 0.35  # opacity of work that was of no use, under its hatch
DIM_OPACITY = 0.22  # of what is not highlighted
# phases that have one where colours are owners'
TEXTURES = ("shuffle", "waiting", "reduce", "launching", "executor_idle", "slots_free", "held_idle")
PALE_TEXTURES = ("waiting", "launching", "executor_idle", "slots_free", "held_idle")
RED_PHASES = (*theme.WASTED_OUTCOMES, theme.WASTED)


def css() -> str:
    """Rules for the classes of the drawings, which need theme.css() beside them."""
    pair = lambda light, dark: f"light-dark({light},{dark})"
    text_on = lambda colour: pair(theme.text_on(colour.light), theme.text_on(colour.dark))
    rules: list[str] = []
    for phase in theme.LEGEND:
        key, colour = phase.key, f"var(--phase-{phase.key})"
        fill = f"url(#hatch-{key})" if phase.hatch else colour
        rules.append(f".p-{key}{{fill:{fill}}}.on-{key}{{fill:{text_on(phase)}}}")
        if phase.hatch:
            grey = pair(theme.hatch_colour(key, False), theme.hatch_colour(key, True))
            hatch = colour if phase in RED_PHASES else grey
            rules.append(f".p-{key}-ground{{fill:{colour}}}.p-{key}-hatch{{stroke:{hatch};fill:{hatch}}}")
    groups = (*range(len(theme.GROUPS)), "others", "others-too")
    for place, (kind, name) in enumerate(zip(OWNER_COLOURS, groups)):
        rules.append(f".g-{place}{{fill:var(--group-{name})}}.on-g-{place}{{fill:{text_on(kind)}}}")
    rules += [f".tex-{key}{{fill:url(#texture-{key})}}" for key in TEXTURES]
    ink, muted, line, grid, paper = (
        pair(*(getattr(theme.look(dark), key) for dark in (False, True)))
        for key in ("ink", "muted", "line", "grid", "paper")
    )
    rules += [
        f".tex-master{{fill:{ink}}}",
        f".wasted{{opacity:{WASTED_OPACITY}}}.dim{{opacity:{DIM_OPACITY}}}.lit "
        f"path{{stroke:{ink};stroke-width:1.2}}",
        f"{','.join(f'.lit .p-{number.key}' for number in theme.WASTED_OUTCOMES)}{{stroke:none}}",
        f".p-speculative{{fill:none;stroke:{ink};stroke-width:1.3;stroke-dasharray:3 2}}",
        f".hatch{{fill:none;stroke-width:1.3}}.texture{{stroke:{paper};stroke-opacity:.55}}",
        ",".join(f"#texture-{key} rect" for key in PALE_TEXTURES)
        + f"{{fill:{paper};fill-opacity:.6;stroke:none}}",
        f".use{{fill:{ink};fill-opacity:.14}}.use-lit{{fill:{muted};fill-opacity:.45}}.use-line{{fill:none;stroke:{ink};stroke-width:1.4}}",
        f".capacity-line{{fill:none;stroke:{muted};stroke-dasharray:5 4}}.open-end{{fill:{ink}}}",
        f".between{{stroke:{grid}}}.racks{{stroke:{muted}}}.axis{{stroke:{line};fill:none}}.gridline{{stroke:{grid};fill:none}}",
        f".name,.tick{{fill:{muted};text-anchor:end}}.parent,.time{{fill:{muted};text-anchor:middle}}.title{{fill:{ink};font-weight:600}}.word{{fill:{ink}}}.slide-name{{fill:{muted}}}",
        f".mark{{fill:none;stroke:{ink};stroke-width:1.6;stroke-dasharray:5 3}}",
        f".node{{fill:none;stroke:{line}}}.node-name{{fill:{muted}}}.hit{{fill:transparent}}",
        "svg image{image-rendering:pixelated}",
    ]
    return "".join(rules)


def hatches() -> str:
    """The patterns, once a document: one a hatched phase, and textures that tell phases where a colour says
    whose a bar is.
    """
    size = HATCH_PX
    lines = svg.path_element(f"M-1 1l2-2M0 {size}l{size}-{size}M{size - 1} {size + 1}l2-2", "hatch")
    back = svg.path_element(f"M-1 {size - 1}l2 2M0 0l{size} {size}M{size - 1}-1l2 2", "hatch")
    flat = svg.path_element(f"M0 {size / 2:g}h{size}", "hatch")
    cross = svg.path_element(f"M0 0l{size} {size}M{size} 0l-{size} {size}", "hatch")
    marks = {"/": lines, "\\": back, "-": flat, "x": cross, ".": '<circle cx="3" cy="3" r="1"/>'}
    patterns = []
    for phase in theme.LEGEND:
        if phase.hatch:
            ground = "" if phase in RED_PHASES else _background(f"p-{phase.key}-ground")
            mark = f'<g class="p-{phase.key}-hatch">{marks[phase.hatch]}</g>'
            patterns.append(_pattern(f"hatch-{phase.key}", "", ground + mark))
    patterns += [
        _pattern("texture-shuffle", "texture", lines),
        _pattern("texture-waiting", "texture", _background("") + lines),
        _pattern("texture-launching", "texture", _background("") + back),
        _pattern("texture-reduce", "texture", flat),
        _pattern("texture-executor_idle", "texture", _background("") + lines),
        _pattern("texture-slots_free", "texture", _background("")),
        _pattern("texture-held_idle", "texture", _background("") + flat),
    ]
    return (
        '<svg width="0" height="0" style="position:absolute" '
        f'aria-hidden="true"><defs>{"".join(patterns)}</defs></svg>'
    )


def _background(kind: str) -> str:
    return f'<rect width="{HATCH_PX}" height="{HATCH_PX}" class="{kind}"/>'


def _pattern(id: str, kind: str, parts: str) -> str:
    return (
        f'<pattern id="{id}" class="{kind}" width="{HATCH_PX}" height="{HATCH_PX}" '
        f'patternUnits="userSpaceOnUse">{parts}</pattern>'
    )
