/* The list of the exercises: which of them this browser has solved. */
import { callbacks, setProps } from "../dash/dash";
import { hear, the } from "../page/dom";
import { msg } from "../page/messages";
import { forget, progressOf } from "./progress";

let names: string[] = [];

/* Marks the list, and how far it is. */
function mark() {
  for (const entry of document.querySelectorAll<HTMLElement>("[data-exercise]")) {
    const { solved, tries } = progressOf(entry.dataset.exercise ?? "");
    entry.toggleAttribute("data-solved", solved);
    entry.toggleAttribute("data-begun", !solved && tries.length > 0);
  }
  const kept = names.map(progressOf);
  const solved = kept.filter((one) => one.solved).length;
  the("exercises-forget").hidden = !kept.some((one) => one.solved || one.tries.length);
  return msg("exercises.progress", { solved, count: names.length });
}

export function listen() {
  hear("click", "#exercises-forget", () => {
    forget();
    setProps("exercises-progress", { children: mark() });
    the("exercises-progress").focus(); // the button is gone
  });
  hear("click", "#class-other", () => {
    setProps("class-anew", { data: true });
    setProps("class-other", { hidden: true });
    setProps("class-who", { children: msg("exercises.someone_else") });
    setProps("class-join", { children: msg("shared.join") });
    setProps("class-name", { value: "" });
    // Dash empties it a frame later: what is typed until then replaces the name
    the("class-name", HTMLInputElement).select();
  });
  callbacks({
    /* The page of a class has another student than before. */
    classLeft(isLeft: boolean | null) {
      if (!isLeft) return;
      forget();
      location.reload();
    },
    exercisesListed(listed: string[]) {
      names = listed;
      return mark();
    },
    /* The links are below what can be seen of the dialog. */
    classMade(link: string) {
      if (!link) return;
      requestAnimationFrame(() => {
        const title = the("class-made-title");
        title.scrollIntoView({ block: "start" });
        title.focus({ preventScroll: true });
      });
    },
  });
}
