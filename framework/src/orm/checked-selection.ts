import { InvalidArgumentException } from '../base/errors.ts'
import type { AnyEntity } from './entity/entity.ts'
import { kindOf } from './selection-arguments.ts'
import { Selection } from './selection.ts'
import type { AnySelection } from './selection.ts'

/**
 * A selection of this entity. One that is missing is an error too: without its conditions a call
 * would affect every row.
 * @throws InvalidArgumentException for anything else.
 */
export function checkedSelection<E extends AnyEntity>(
  call: string,
  entity: E,
  selection: AnySelection<E>,
  code: 'E_INVALID_ARGUMENT' | 'E_PAGINATION' = 'E_INVALID_ARGUMENT',
): AnySelection<E> {
  const given: unknown = selection
  if (!(given instanceof Selection)) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${call} takes a selection of ${entity.table}, as in repository.select(), got ${kindOf(given)}`,
    )
  }
  if (selection.entity === entity) return selection
  throw new InvalidArgumentException(
    code,
    `the selection belongs to ${selection.entity.table}, the repository to ${entity.table}`,
  )
}
