import type { Result } from '../../database/operation.ts'

/**
 * Rows the planner expects, from the answer to EXPLAIN: one JSON document on PostgreSQL, on MariaDB
 * a row a table with `rows` and `filtered`, the percentage of them that stay. 0 when it says nothing.
 */
export function readEstimate({ rows: [row] }: Result): number {
  const document = part(row, 'QUERY PLAN')
  const estimate = document === undefined ? estimateOfTable(row) : estimateOfPlan(document)
  return Number.isFinite(estimate) ? Math.max(0, Math.round(estimate)) : 0
}

function estimateOfPlan(document: unknown): number {
  const parsed: unknown = typeof document === 'string' ? JSON.parse(document) : document
  return Number(part(part(part(parsed, '0'), 'Plan'), 'Plan Rows'))
}

function estimateOfTable(row: unknown): number {
  return (Number(part(row, 'rows')) * Number(part(row, 'filtered') ?? 100)) / 100
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
