import type { Database } from '../../../database/surface.ts'

/** The databases among the services of a project. */
export function databasesIn(services: unknown): readonly Database[] {
  if (typeof services !== 'object' || services === null) return []
  return [...new Set(Object.values(services).filter(isDatabase))]
}

function isDatabase(service: unknown): service is Database {
  if (typeof service !== 'object' || service === null) return false
  return 'dialect' in service && 'dispatch' in service && 'ping' in service
}
