import { checkMetricName } from '../metric-name.ts'

/**
 * The prefix of every metric name in a namespace: `shop_` for `shop`.
 * @throws InvalidArgumentException (E_METRIC_NAME) for an invalid namespace.
 */
export function namespacePrefix(namespace: string): string {
  if (namespace === '') return ''
  checkMetricName(namespace)
  return namespace.endsWith('_') || namespace.endsWith(':') ? namespace : `${namespace}_`
}
