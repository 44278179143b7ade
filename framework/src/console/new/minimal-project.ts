import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { effectiveTable } from '../../settings/effective-table.ts'
import { frameworkScopes } from '../../project/start/project-settings.ts'
import { Environments } from '../../settings/environments.ts'

/** Writes the smallest project: one route, one view, one test. */
export function writeMinimalProject(folder: string, name: string): void {
  for (const [path, text] of Object.entries(minimalFiles(name))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function minimalFiles(name: string): Readonly<Record<string, string>> {
  return {
    'project.ts': `import { defineProject } from 'framework'
import { Home } from './routes/home.ts'

export default defineProject({ name: '${name}', routes: [Home] })
`,
    'routes/home.ts': `import { routeSet } from 'framework/http'

export const Home = routeSet('Home', (router) => {
  router.get('/', (_request, response) => response.view('home', { title: '${name}' }))
})
`,
    'views/home.template.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title><%= it.title %></title>
  </head>
  <body>
    <h1><%= it.title %></h1>
    <p>This page is <code>views/home.template.html</code>.</p>
  </body>
</html>
`,
    'tests/home.test.ts': `import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectServer } from 'framework/testing'

test('the home page says what this is', async (t) => {
  const app = await projectServer(join(import.meta.dirname, '..'))
  t.after(() => app.close())
  const { status, text } = await app.inject({ url: '/' })
  assert.equal(status, 200)
  assert.match(text, /<h1>${name.replaceAll('.', String.raw`\.`)}<\\/h1>/)
})
`,
    'README.md': readme(name),
    '.env.example': envExample(),
    '.gitignore': 'node_modules/\nstorage/\n*.log\n.env\n.env.*\n!.env.example\n',
    'package.json': JSON.stringify({
      scripts: {
        start: 'framework serve',
        dev: 'framework serve --watch',
        test: 'node --test',
      },
    }),
  }
}

function readme(name: string): string {
  return `# ${name}

\`\`\`sh
npm install
npm start            # on http://localhost:8087
npm run dev          # the same, and restarts when a file changes
npm test
npm run typecheck
\`\`\`

\`project.ts\` lists the route sets, \`routes/\` holds them, \`views/\` the templates, \`tests/\` the tests. Files in \`public/\` are served as static files.
Settings come from the environment or from \`.env\`; \`.env.example\` lists them. \`.env\` says that this machine is for development; where nothing says so, it is production.

The framework is the file in \`vendor/\`; commit it. To upgrade, put a newer one beside it and run

\`\`\`sh
npm install ./vendor/framework-<version>.tgz
\`\`\`
`
}

/** The framework's settings with their meaning and default. */
function envExample(): string {
  const nothing = { environment: Environments.Production, lookup: () => null }
  const settings = effectiveTable(Object.values(frameworkScopes), nothing)
  const lines = settings.map(
    ({ variable, value, meaning }) => `# ${meaning}\n# ${variable}=${value}\n`,
  )
  return `# Copy to .env and change what you need.\n\n${lines.join('\n')}`
}
