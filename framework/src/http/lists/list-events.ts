import type { Surface } from '../../database/surface.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import { event } from '../../events/emitter.ts'
import type { Event } from '../../events/emitter.ts'

/** A list that was read. */
export interface ListReading {
  readonly surface: Surface
  /** What was selected, in its complete order. */
  readonly plan: SelectPlan
  /** The statement of its rows. */
  readonly query: Query
}

/** Emitted when a list by declaration was read; nothing is prepared for it without a listener. */
export const ListEvents: { readonly Read: Event<[reading: ListReading]> } = Object.freeze({
  Read: event<[reading: ListReading]>('list.read'),
})
