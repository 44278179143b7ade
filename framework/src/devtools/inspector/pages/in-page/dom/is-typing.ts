/// <reference lib="dom" />

/** Whether keys go into a field and are no commands. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=radio]), select')
}
