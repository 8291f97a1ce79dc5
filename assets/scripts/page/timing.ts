/* Work that waits its turn. */

/* Kept once so many ms are over. */
export const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/* A function that does this work once nobody has asked for it again within so many ms. */
export function rested(work: () => void, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}

/* A function that does this work one at a time: of what is asked for meanwhile the last is done next, the
   others never. */
export function latest<Wish extends unknown[]>(work: (...wish: Wish) => Promise<unknown>) {
  let isBusy = false;
  let asked: Wish | null = null;
  return async (...wish: Wish) => {
    asked = wish;
    if (isBusy) return;
    isBusy = true;
    try {
      while (asked) {
        const now: Wish = asked;
        asked = null;
        await work(...now);
      }
    } finally {
      isBusy = false;
    }
  };
}
