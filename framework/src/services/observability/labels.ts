import { InvalidArgumentException } from '../../base/errors.ts'
import { quote } from './quote.ts'

/** Where checked labels keep how they are written; exporters need it for each series of each scrape. */
const written: unique symbol = Symbol('written')

/** The labels of a series: names to texts. */
export type Labels = Readonly<Record<string, string>> & { readonly [written]?: WrittenLabels }

interface WrittenLabels {
  readonly json: string
  text: string | null
  set: string | null
}

/**
 * A checked, frozen copy with its names in order, added to those of `base`. What is one already is
 * taken as it is.
 * @throws InvalidArgumentException (E_METRIC_LABEL) that says which label cannot be used.
 */
export function createLabels(given: Readonly<Record<string, unknown>>, base?: Labels): Labels {
  if (typeof given !== 'object' || given === null) {
    return refuse(`labels are a map of names to texts; got ${quote(given)}`)
  }
  if (base === undefined && isChecked(given)) return given
  const all = base === undefined ? given : { ...base, ...given }
  const labels: Record<string, string> = {}
  for (const name of Object.keys(all).sort()) {
    const value = all[name]
    if (!isLabelName(name)) {
      refuse(`a label needs letters, digits and "_", no digit or "__" first; got ${quote(name)}`)
    }
    if (typeof value !== 'string') refuse(`label "${name}" takes a text; got ${quote(value)}`)
    labels[name] = value
  }
  const kept: WrittenLabels = { json: JSON.stringify(labels), text: null, set: null }
  // Not enumerable: nobody who looks at the labels, copies or compares them meets it.
  Object.defineProperty(labels, written, { value: kept })
  return Object.freeze(labels)
}

function isChecked(given: Readonly<Record<string, unknown>>): given is Labels {
  return Object.hasOwn(given, written)
}

/** The labels as a JSON object, names in order. Equal labels, and only those, have equal texts. */
export function labelJson(labels: Labels): string {
  return labels[written]?.json ?? JSON.stringify(labels, Object.keys(labels).sort())
}

/** The labels as the text exposition writes them, in order of their names: `a="1",b="2"`. */
export function labelText(labels: Labels): string {
  const kept = labels[written]
  return kept === undefined ? writeText(labels) : (kept.text ??= writeText(labels))
}

/** What stands between the name and the value of a sample: the same in braces if any, and a space. */
export function labelSet(labels: Labels): string {
  const kept = labels[written]
  return kept === undefined
    ? writeSet(writeText(labels))
    : (kept.set ??= writeSet(labelText(labels)))
}

/** Whether a text can name a label. Two underscores in front are kept for Prometheus itself. */
export function isLabelName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) && !name.startsWith('__')
}

function writeText(labels: Labels): string {
  const names = Object.keys(labels).sort()
  return names.map((name) => `${name}="${escapeValue(labels[name] ?? '')}"`).join(',')
}

function escapeValue(value: string): string {
  if (!/[\\"\n]/.test(value)) return value
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

// Joined and not added up: a text made in one piece is copied faster, at every scrape.
function writeSet(text: string): string {
  return text === '' ? ' ' : ['{', text, '} '].join('')
}

function refuse(message: string): never {
  throw new InvalidArgumentException('E_METRIC_LABEL', message)
}
