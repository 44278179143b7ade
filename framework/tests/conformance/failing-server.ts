import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Environments } from '../../src/settings/environments.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { ReportContext } from '../../src/errors/throwables/throwables.ts'
import { Views } from '../../src/base/templates/views.ts'
import { createCatcher } from '../../src/http/errors/catcher.ts'
import type { CatcherOptions } from '../../src/http/errors/catcher.ts'
import { Server } from '../../src/http/server/server.ts'
import { plantProject } from '../support/plant-project.ts'

/** A response read by `fetch`. */
export interface Fetched {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A server on a real port whose routes fail. */
export interface FailingServer {
  readonly origin: string
  readonly reported: readonly (readonly [Error, ReportContext])[]
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Fetched>
}

/** Options of the server. */
export interface FailingOptions extends CatcherOptions {
  readonly environment: Environments
  /** Templates by name, such as `errors/500`. */
  readonly views?: Readonly<Record<string, string>>
  readonly declare: (server: Server) => void
}

/** Serves on a free port until the test ends. */
export async function failingServer(
  t: TestContext,
  { environment, views, declare, ...options }: FailingOptions,
): Promise<FailingServer> {
  const throwables = createThrowables()
  const reported: (readonly [Error, ReportContext])[] = []
  throwables.reporters.push((error, context) => reported.push([error, context]))
  const catcher = createCatcher({
    environment,
    throwables,
    routes: () => server.router.routes(),
    ...options,
  })
  const server: Server = new Server({ environment, throwables, catcher, reporter: null })
  server.configure({
    port: 0,
    drainTimeout: 0,
    views: views === undefined ? null : plantViews(t, views),
  })
  declare(server)
  const { host, port } = await server.listen({ signals: false })
  t.after(() => server.close())
  const origin = `http://${host}:${port}`
  return {
    origin,
    reported,
    async get(path, headers = {}) {
      const answer = await fetch(origin + path, { headers, redirect: 'manual' })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
  }
}

function plantViews(t: TestContext, views: Readonly<Record<string, string>>): Views {
  const folder = join(plantProject(t, {}), 'views')
  for (const [name, text] of Object.entries(views)) {
    const file = join(folder, `${name}.template.html`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return new Views(folder)
}
