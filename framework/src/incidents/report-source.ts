/** Where incidents come from, as exports say it. */
export interface ReportSource {
  /** Name of the service. */
  readonly service: string
  /** Empty if unknown. */
  readonly release: string
  readonly environment: string
  /** Name of the machine. */
  readonly host: string
  /** Public address of the site, without a slash at its end. */
  readonly url: string
  /** Folder of the project: files in it are shown relative to it. */
  readonly root: string
  /** More attributes of the resource, as `OTEL_RESOURCE_ATTRIBUTES` gives them. */
  readonly attributes: Readonly<Record<string, string>>
}
