/* What these tests use of Node. */
declare module "node:test" {
  export function test(name: string, work: () => void | Promise<void>): void;
  export function beforeEach(work: () => void | Promise<void>): void;
  export const mock: {
    timers: { enable(how: { apis: string[]; now?: number }): void; tick(ms: number): void; reset(): void };
  };
}
declare module "node:assert/strict" {
  export function equal(actual: unknown, expected: unknown, message?: string): void;
  export function rejects(promise: Promise<unknown>): Promise<void>;
  export function deepEqual(actual: unknown, expected: unknown, message?: string): void;
}
