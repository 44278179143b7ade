import { html } from '../errors/reports/page-text.ts'
import type { OpenApiDocument } from './open-api-document.ts'
import type { OperationParameter } from './operation-parameters.ts'
import type { OperationResponse } from './operation-responses.ts'
import type { Operation } from './operation.ts'
import type { Content } from './request-body.ts'
import type { SecurityRequirement } from './route-access.ts'
import { limits, schemaText } from './schema-text.ts'
import { tryForm } from './try-form.ts'

/** One operation: what it takes, what comes back, and a form to try it. */
export function operationPart(
  method: string,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
): string {
  const { operationId, summary = '', description = '', requestBody, parameters = [] } = operation
  return (
    `<details class="card operation" id="operation-${html(encodeURIComponent(operationId))}">` +
    `<summary><span class="method ${html(method)}">${html(method.toUpperCase())}</span> ` +
    `<code>${html(path)}</code> <span class="about">${html(summary)}</span></summary><div class="inner">` +
    (description === '' ? '' : `<p class="description">${html(description)}</p>`) +
    `<p class="note">${securityText(operation.security)}</p>` +
    parametersTable(parameters) +
    (requestBody === undefined
      ? ''
      : `<h3>Body</h3>${requestBody.description === undefined ? '' : `<p class="note">${html(requestBody.description)}</p>`}` +
        contentPart(requestBody.content)) +
    `<h3>Responses</h3>${responsesTable(operation, document)}` +
    `${tryForm(method, path, operation, document)}</div></details>`
  )
}

function securityText(security: readonly SecurityRequirement[]): string {
  if (security.length === 0) return 'For anybody.'
  const words: Readonly<Record<string, string>> = {
    session: 'a session',
    csrf: 'its CSRF token',
    bearer: 'an API token',
  }
  const alternatives = security.map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, scopes]) => {
        const name = html(words[scheme] ?? scheme)
        return scopes.length === 0 ? name : `${name} with <code>${html(scopes.join(' '))}</code>`
      })
      .join(' and '),
  )
  return `Needs ${alternatives.join(', or ')}.`
}

function parametersTable(parameters: readonly OperationParameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: place, required, schema, description = '' }) =>
      `<tr><td><code>${html(name)}</code></td><td>${place}${required ? '' : ', optional'}</td>` +
      `<td><code>${schemaText(schema)}</code> ${html([limits(schema), description].filter(Boolean).join(', '))}</td></tr>`,
  )
  return (
    `<h3>Parameters</h3><table><thead><tr><th scope="col">Name</th><th scope="col">In</th>` +
    `<th scope="col">Value</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  )
}

function responsesTable({ responses }: Operation, { components }: OpenApiDocument): string {
  const rows = Object.entries(responses).map(([status, given]) => {
    const response =
      '$ref' in given ? components.responses[given.$ref.split('/').at(-1) ?? ''] : given
    return responseRow(status, response ?? { description: '' })
  })
  return (
    `<table class="responses"><thead><tr><th scope="col">Status</th><th scope="col">Body</th></tr></thead>` +
    `<tbody>${rows.join('')}</tbody></table>`
  )
}

function responseRow(status: string, { description, content = {} }: OperationResponse): string {
  return (
    `<tr><td><b>${html(status)}</b></td><td>${html(description)}` +
    `${Number(status) >= 400 ? errorText(content) : contentPart(content)}</td></tr>`
  )
}

// The other formats of errors are the same everywhere; the page of a status is for people.
function errorText(content: Content): string {
  const problem = content['application/problem+json']
  return problem === undefined
    ? contentPart(content)
    : ` <code>${schemaText(problem.schema)}</code>`
}

function contentPart(content: Content): string {
  // Several types of one body mostly have the same schema, which is shown once.
  const types = new Map<string, string[]>()
  for (const [type, { schema }] of Object.entries(content)) {
    const text = schemaText(schema)
    types.set(text, [...(types.get(text) ?? []), type])
  }
  return [...types]
    .map(
      ([text, names]) =>
        `<p class="note">${html(names.join(', '))}</p><pre class="schema" tabindex="0">${text}</pre>`,
    )
    .join('')
}
