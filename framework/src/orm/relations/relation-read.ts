import { InvalidArgumentException } from '../../base/errors.ts'
import { conditionsOnly } from '../conditions-only.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { Reading, RelationRead } from '../reading.ts'

/**
 * A relation to load, narrowed or not.
 * @throws InvalidArgumentException for an unknown relation, or one that cannot be narrowed like that.
 */
export function rowsRead(entity: AnyEntity, name: string, reading: Reading | null): RelationRead {
  const { kind, isNullable } = entity.relation(name)
  if (reading !== null) {
    const { plan } = reading
    if (plan.seek !== null || plan.lock !== null) {
      throw invalidRead(
        entity,
        name,
        `${plan.seek === null ? 'lock' : 'seek'}() is for rows that are read first, not for those of a relation`,
      )
    }
    if (kind === 'belongs-to' && !isNullable && isSmaller(reading)) {
      throw invalidRead(
        entity,
        name,
        `every row has one, so it cannot be narrowed; use has('${name}', …) to select rows by it, or declare it nullable()`,
      )
    }
  }
  return { relation: name, property: name, kind: 'rows', reading }
}

/**
 * A relation to count, narrowed or not.
 * @throws InvalidArgumentException for an unknown relation, more than conditions, or a taken name.
 */
export function countRead(entity: AnyEntity, name: string, reading: Reading | null): RelationRead {
  entity.relation(name)
  const property = `${name}Count`
  if (entity.relations.has(property) || entity.columns.some((own) => own.property === property)) {
    throw invalidRead(entity, name, `its count would replace ${property}, which the entity has`)
  }
  if (reading !== null) conditionsOnly(`a count of ${entity.table}.${name}`, reading)
  return { relation: name, property, kind: 'count', reading }
}

/**
 * Adds what is to be read of relations. The same twice is once.
 * @throws InvalidArgumentException for one relation narrowed in two ways.
 */
export function addRead(entity: AnyEntity, reads: RelationRead[], added: RelationRead): void {
  const known = reads.find(({ property }) => property === added.property)
  if (known === undefined) reads.push(added)
  else if (known.reading !== null || added.reading !== null) {
    throw invalidRead(entity, added.relation, 'it is already read, and a row has only one of each')
  }
}

// That deleted rows are hidden does not count: a row without its own is an error when it is read.
function isSmaller({ entity, plan: { conditions, limit, offset } }: Reading): boolean {
  const isNarrowed = conditions.some((condition) => !entity.undeleted.includes(condition))
  return isNarrowed || limit !== null || offset > 0
}

function invalidRead({ table }: AnyEntity, name: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_RELATION', `${table}.${name}: ${reason}`)
}
