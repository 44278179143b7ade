import { InvalidArgumentException } from '../base/errors.ts'

/** Whether this is a valid metric name. `__proto__` is excluded, as names are used as object keys. */
export function isMetricName(name: string): boolean {
  return /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name) && name !== '__proto__'
}

/**
 * Returns its argument.
 * @throws InvalidArgumentException (E_METRIC_NAME) for an invalid name.
 */
export function checkMetricName(name: string): string {
  if (typeof name === 'string' && isMetricName(name)) return name
  throw new InvalidArgumentException(
    'E_METRIC_NAME',
    `a metric name must be letters, digits, "_" and ":", not starting with a digit, such as ` +
      `"http_requests_total"; got ${quote(name)}`,
  )
}

/**
 * The prefix of every metric name in a namespace: `shop_` for `shop`.
 * @throws InvalidArgumentException (E_METRIC_NAME) for an invalid namespace.
 */
export function namespacePrefix(namespace: string): string {
  if (namespace === '') return ''
  checkMetricName(namespace)
  return namespace.endsWith('_') || namespace.endsWith(':') ? namespace : `${namespace}_`
}

/** A string in quotes for an error message, shortened if long; for other values their type. */
export function quote(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') return `a value of type ${typeof value}`
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
}
