import type { TestContext } from 'node:test'
import type { EnvTexts } from '../../src/settings/env-source.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import { defineProject } from '../../src/project/project.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import type { Router } from '../../src/http/router/router.ts'
import type { Server } from '../../src/http/server/server.ts'
import type { OtlpSpan } from './decode-otlp.ts'
import { answer, startCollector } from './fake-collector.ts'
import type { FakeCollector } from './fake-collector.ts'
import { plantProject } from './plant-project.ts'
import { spansIn } from './spans-in.ts'

/** A project whose spans a local collector keeps. */
export interface TracedProject {
  readonly server: Server
  readonly collector: FakeCollector
  /** Closes the project, which exports the rest, and returns all spans in the order of their ends. */
  readonly spans: () => Promise<readonly OtlpSpan[]>
}

/** Assembles a project with these routes in this process, with tracing on. */
export async function tracedProject(
  t: TestContext,
  declare: (router: Router) => void,
  env: EnvTexts = {},
): Promise<TracedProject> {
  const collector = await startCollector(t, answer(200))
  const { server } = await assembleProject({
    root: plantProject(t, {}),
    project: defineProject({
      name: 'shop',
      routes: [routeSet<object>('Shop', declare)],
      middlewares: () => [],
    }),
    environment: 'test',
    env: {
      LOG_LEVEL: 'silent',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...env,
    },
  })
  t.after(() => server.close())
  return {
    server,
    collector,
    async spans() {
      await server.close()
      return spansIn(collector)
    },
  }
}
