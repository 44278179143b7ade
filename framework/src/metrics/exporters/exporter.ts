import type { Snapshot } from '../snapshot.ts'

/** Encodes a snapshot as text. */
export interface Exporter {
  /** The whole document; `''` when the snapshot cannot be encoded. */
  export(snapshot: Snapshot): string
}
