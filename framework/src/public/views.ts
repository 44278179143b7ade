export { TemplateError, type TemplateLocation } from '../base/templates/template-error.ts'
export { Views, type FindAsset, type ViewsOptions } from '../base/templates/views.ts'
