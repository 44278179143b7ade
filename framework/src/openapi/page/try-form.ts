import { html } from '../../errors/reports/page-text.ts'
import type { OpenApiDocument } from '../open-api-document.ts'
import type { OperationParameter } from '../operation-parameters.ts'
import type { Operation } from '../operation.ts'
import { sampleValue } from './sample-value.ts'

/** The form that sends a request, which the script of the page shows and handles. */
export function tryForm(
  method: string,
  path: string,
  operation: Operation,
  { components }: OpenApiDocument,
): string {
  const { parameters = [], requestBody } = operation
  const content = requestBody?.content ?? {}
  const schema = Object.values(content)[0]?.schema
  const sample =
    schema === undefined ? '' : JSON.stringify(sampleValue(schema, components.schemas), null, 2)
  const hasFiles = 'multipart/form-data' in content
  return (
    `<form class="try" hidden data-method="${html(method.toUpperCase())}" data-path="${html(path)}" ` +
    `aria-label="Try ${html(`${method.toUpperCase()} ${path}`)}"><h3>Try it</h3>` +
    `<div class="fields">${parameters.map(parameterField).join('')}</div>` +
    (schema === undefined
      ? ''
      : `<label>Body<textarea name="body" rows="${rowsOf(sample)}" spellcheck="false">${html(sample)}</textarea></label>`) +
    (hasFiles ? `<label>Files<input type="file" name="files" multiple></label>` : '') +
    `<p><button>Send ${html(method.toUpperCase())}</button></p>` +
    `<div class="answer" role="status"></div></form>`
  )
}

function parameterField(parameter: OperationParameter): string {
  const { name, required, schema } = parameter
  const isNumber = schema['type'] === 'integer'
  const value = isNumber && required ? ' value="1"' : ''
  return (
    `<label>${html(name)}<input name="${parameter.in}:${html(name)}" autocomplete="off" spellcheck="false"` +
    `${isNumber ? ' inputmode="numeric"' : ''}${value}${required ? ' required' : ''}></label>`
  )
}

function rowsOf(text: string): number {
  return Math.min(Math.max(text.split('\n').length, 2), 16)
}
