/* The keyboard: copy, cut and paste as spreadsheets do, undo, and the rows' own keys. */
(function (editor) {
  "use strict";

  const isText = (node) => node instanceof HTMLElement && (node.isContentEditable || node.matches("textarea, select, input:not([type=checkbox]):not([type=radio])"));

  /* The table that has the focus, with its focused cell, unless a cell is being edited (or even then). */
  function focused(even = false) {
    const node = document.activeElement;
    const table = editor.grid.live().find((one) => editor.grid.grid(one)?.contains(node));
    if (!table || (isText(node) && !even)) return null;
    const cell = editor.grid.apis[table].getFocusedCell();
    return cell && { table, api: editor.grid.apis[table], row: cell.rowIndex, column: cell.column.getColId() };
  }

  const KEYS = { Insert: "add", "ctrl+d": "duplicate", "ctrl+Delete": "delete", "ctrl+Backspace": "delete" };
  const nameOf = (event) => (event.ctrlKey || event.metaKey ? `ctrl+${event.key.length === 1 ? event.key.toLowerCase() : event.key}` : event.key);

  /* Keys that AG Grid must leave to us. */
  editor.isGridKey = (event) => nameOf(event) in KEYS || ["Delete", "Backspace", "ctrl+z", "ctrl+y"].includes(nameOf(event));

  function onKey(event) {
    if (!editor.facts || event.defaultPrevented) return;
    const name = nameOf(event);
    if ((name === "ctrl+z" || name === "ctrl+y") && !isText(event.target)) {
      event.preventDefault();
      editor.step(name === "ctrl+y" || event.shiftKey ? "redo" : "undo");
      return;
    }
    if (name === "Escape" && !isText(event.target) && editor.narrow()) event.preventDefault();
    const place = focused();
    if (!place) return;
    if (KEYS[name]) {
      event.preventDefault();
      editor.grid[KEYS[name]](place.table);
    } else if ((name === "Delete" || name === "Backspace") && editor.grid.fieldOf(place.table, place.column)) {
      event.preventDefault();
      editor.grid.write(place.table, [{ row: place.row, path: place.column, value: undefined }], "clear a cell");
    }
  }

  /* Checked rows whole, else the focused cell. */
  function copied({ table, api, row, column }) {
    const { fields } = editor.facts.tables[table];
    const nodes = api.getSelectedNodes().sort((one, other) => one.rowIndex - other.rowIndex);
    if (nodes.length) return nodes.map((node) => fields.map((field) => node.data[field.path]));
    return [[api.getDisplayedRowAtIndex(row)?.data[column]]];
  }

  function onCopy(event) {
    const place = focused();
    if (!place || String(window.getSelection())) return;
    const rows = copied(place);
    event.clipboardData.setData("text/plain", editor.values.tabbed(rows));
    event.preventDefault();
    if (event.type === "cut" && rows.length === 1 && rows[0].length === 1) {
      editor.grid.write(place.table, [{ row: place.row, path: place.column, value: undefined }], "cut a cell");
    }
    editor.say(rows[0].length === 1 ? "Copied." : `Copied ${rows.length} ${rows.length === 1 ? "row" : "rows"}.`);
  }

  /* A first line that holds titles of columns says where the cells go; without one they go from the focused cell on. */
  function titled(table, cells) {
    const { fields, groups } = editor.facts.tables[table];
    const plain = (text) => text.toLowerCase().replace(/[^a-z]/g, "");
    const names = fields.map((field) => {
      const group = groups.find((one) => one.path === field.group);
      const heads = group ? [field.title, `${group.title} ${field.title}`] : [field.title];
      return [field, [field.path, ...heads, ...heads.map((head) => head + field.unit)].map(plain)];
    });
    const found = cells.map((cell) => (names.find(([, known]) => known.includes(plain(cell))) || [null])[0]);
    const certain = found.filter(Boolean).length >= 2 && found.every((field, index) => field || cells[index].trim() === "");
    return certain && new Set(found).size === found.length ? found : null;
  }

  function onPaste(event) {
    const text = event.clipboardData.getData("text/plain");
    const place = focused(/[\t\n]/.test(text.trim()));
    if (!place) return;
    event.preventDefault();
    place.api.stopEditing(true);
    const { fields } = editor.facts.tables[place.table];
    let lines = editor.values.cells(text);
    const heads = lines.length > 1 ? titled(place.table, lines[0]) : null;
    const start = Math.max(0, fields.findIndex((field) => field.path === place.column));
    const targets = heads || fields.slice(start);
    if (heads) lines = lines.slice(1);
    const changes = [];
    let beyond = 0;
    lines.forEach((line, down) => line.forEach((cell, along) => {
      const field = targets[along];
      if (field) changes.push({ row: place.row + down, path: field.path, value: editor.values.parse(cell, field) });
      else if (cell.trim() !== "") beyond += 1;
    }));
    if (!changes.length) return;
    const size = `${lines.length} × ${Math.max(...lines.map((line) => line.length))} cells`;
    editor.grid.write(place.table, changes, `paste ${size}`);
    editor.say(`Pasted ${size}${heads ? " by the titles of their columns" : ""}.${beyond ? ` ${beyond} beyond the last column were ignored.` : ""}`);
  }

  document.addEventListener("keydown", onKey);
  document.addEventListener("copy", onCopy);
  document.addEventListener("cut", onCopy);
  document.addEventListener("paste", onPaste);
})((window.gantryEditor = window.gantryEditor || {}));
