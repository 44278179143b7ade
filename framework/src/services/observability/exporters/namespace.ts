import { checkMetricName } from '../metric-name.ts'

/**
 * What a namespace puts in front of every name: `shop` gives `shop_`.
 * @throws InvalidArgumentException (E_METRIC_NAME) when names with it could not be used.
 */
export function prefixOf(namespace: string): string {
  if (namespace === '') return ''
  checkMetricName(namespace)
  return namespace.endsWith('_') || namespace.endsWith(':') ? namespace : `${namespace}_`
}
