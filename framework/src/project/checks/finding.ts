/** A problem that `framework check` found, as sentences without a full stop. It contains no secrets. */
export interface Finding {
  /**
   * An error loses data, keys or accounts; everything else is a warning. A note is no problem: it says what a
   * setting means that is right for some projects.
   */
  readonly level: 'error' | 'warning' | 'note'
  /** What is wrong: `APP_URL is not set`. */
  readonly what: string
  /** What happens because of it. */
  readonly why: string
  /** What to do. */
  readonly fix: string
}

/** An error, which `framework check --deploy` fails on. */
export function error(what: string, why: string, fix: string): Finding {
  return { level: 'error', what, why, fix }
}

/** A warning. */
export function warning(what: string, why: string, fix: string): Finding {
  return { level: 'warning', what, why, fix }
}

/** A note. */
export function note(what: string, why: string, fix: string): Finding {
  return { level: 'note', what, why, fix }
}
