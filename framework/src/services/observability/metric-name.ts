import { InvalidArgumentException } from '../../base/errors.ts'
import { quote } from './quote.ts'

/** Whether a text can name a metric. `__proto__` would fit the alphabet and ruin every map it is a key of. */
export function isMetricName(name: string): boolean {
  return /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name) && name !== '__proto__'
}

/**
 * The name itself.
 * @throws InvalidArgumentException (E_METRIC_NAME) when it cannot name a metric.
 */
export function checkMetricName(name: string): string {
  if (typeof name === 'string' && isMetricName(name)) return name
  throw new InvalidArgumentException(
    'E_METRIC_NAME',
    `a metric name needs letters, digits, "_" and ":", no digit first, such as ` +
      `"http_requests_total"; got ${quote(name)}`,
  )
}
