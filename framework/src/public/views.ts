export { TemplateError } from '../base/templates/template-error.ts'
export { Views, type FindAsset } from '../base/templates/views.ts'
