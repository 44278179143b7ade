import { InvalidArgumentException } from '../base/errors.ts'
import { quote } from './metric-name.ts'

/** Key of the cached text forms of labels; exporters need them for every series of every scrape. */
const written: unique symbol = Symbol('written')

/** The labels of a series: values by name. */
export type Labels = Readonly<Record<string, string>> & { readonly [written]?: WrittenLabels }

interface WrittenLabels {
  readonly json: string
  text: string | null
  set: string | null
}

/**
 * A validated, frozen copy with sorted names, merged with `base`. Labels that are already validated
 * are returned unchanged.
 * @throws InvalidArgumentException (E_METRIC_LABEL) that names the invalid label.
 */
export function createLabels(given: Readonly<Record<string, unknown>>, base?: Labels): Labels {
  if (typeof given !== 'object' || given === null) {
    return refuseLabel(`labels must be an object with string values; got ${quote(given)}`)
  }
  if (base === undefined && isChecked(given)) return given
  const all = base === undefined ? given : { ...base, ...given }
  const labels: Record<string, string> = {}
  for (const name of Object.keys(all).sort()) {
    const value = all[name]
    if (!isLabelName(name)) {
      refuseLabel(
        `a label name must be letters, digits and "_", not starting with a digit or "__"; ` +
          `got ${quote(name)}`,
      )
    }
    if (typeof value !== 'string') {
      refuseLabel(`label "${name}" must be a string; got ${quote(value)}`)
    }
    labels[name] = value
  }
  const kept: WrittenLabels = { json: JSON.stringify(labels), text: null, set: null }
  // Not enumerable, so that it does not show when labels are listed, copied or compared.
  Object.defineProperty(labels, written, { value: kept })
  return Object.freeze(labels)
}

function isChecked(given: Readonly<Record<string, unknown>>): given is Labels {
  return Object.hasOwn(given, written)
}

/** The labels as a JSON object with sorted names. The texts are equal if and only if the labels are. */
export function labelJson(labels: Labels): string {
  return labels[written]?.json ?? JSON.stringify(labels, Object.keys(labels).sort())
}

/** The labels in the text exposition format, sorted by name: `a="1",b="2"`. */
export function labelText(labels: Labels): string {
  const kept = labels[written]
  return kept === undefined ? writeText(labels) : (kept.text ??= writeText(labels))
}

/** The text between the name and the value of a sample: labels in braces, if any, and a space. */
export function labelSet(labels: Labels): string {
  const kept = labels[written]
  return kept === undefined
    ? writeSet(writeText(labels))
    : (kept.set ??= writeSet(labelText(labels)))
}

/** Whether this is a valid label name. A leading `__` is reserved for Prometheus itself. */
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

// `join` creates a flat string, which is faster to copy at every scrape than a concatenation.
function writeSet(text: string): string {
  return text === '' ? ' ' : ['{', text, '} '].join('')
}

function refuseLabel(message: string): never {
  throw new InvalidArgumentException('E_METRIC_LABEL', message)
}
