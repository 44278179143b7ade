import type { DatabaseConnection, Driver, TransactionSettings } from 'kysely'
import type { Surface } from '../surface.ts'
import { SurfaceConnection } from './surface-connection.ts'

/** The driver of a Kysely whose queries go through a surface. */
export class SurfaceDriver implements Driver {
  readonly #surface: Surface

  constructor(surface: Surface) {
    this.#surface = surface
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new SurfaceConnection(this.#surface))
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return ours(connection).begin(settings)
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).commit()
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).rollBack()
  }

  savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#command(connection, 'SAVEPOINT', name)
  }

  rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#command(connection, 'ROLLBACK TO SAVEPOINT', name)
  }

  releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#command(connection, 'RELEASE SAVEPOINT', name)
  }

  // A transaction that nobody has ended must not stay open.
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return ours(connection).rollBack()
  }

  /** Leaves the database open: it belongs to the project. */
  destroy(): Promise<void> {
    return Promise.resolve()
  }

  async #command(connection: DatabaseConnection, words: string, name: string): Promise<void> {
    const sql = `${words} ${this.#surface.dialect.quote(name)}`
    await ours(connection).surface.run({ sql, parameters: [] })
  }
}

function ours(connection: DatabaseConnection): SurfaceConnection {
  if (connection instanceof SurfaceConnection) return connection
  throw new TypeError('unreachable: this driver makes the connections')
}
