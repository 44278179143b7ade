import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** The server, and the SQL files of its system tables. */
export interface MariadbPrograms {
  readonly server: string
  readonly systemTables: readonly string[]
}

/** The programs of the system. */
export function findMariadbPrograms(): MariadbPrograms | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/libexec']
  for (const folder of folders) {
    const server = join(folder, 'mariadbd')
    const systemTables = existsSync(server) ? systemTablesOf(server) : null
    if (systemTables !== null) return { server, systemTables }
  }
  return null
}

/** Up to version 10 they are named after MySQL, later after MariaDB. */
function systemTablesOf(server: string): readonly string[] | null {
  for (const share of [join(dirname(server), '../share'), '/usr/share']) {
    for (const name of ['mysql', 'mariadb']) {
      for (const prefix of ['mysql', 'mariadb']) {
        const files = ['system_tables', 'performance_tables', 'system_tables_data'].map((part) =>
          join(share, name, `${prefix}_${part}.sql`),
        )
        if (files.every((file) => existsSync(file))) return files
      }
    }
  }
  return null
}
