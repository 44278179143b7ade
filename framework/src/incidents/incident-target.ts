import type { Incident } from './incident.ts'

/** What became of incidents that were sent. */
export interface SendOutcome {
  /** Whether they arrived; they are not sent again if they did not. */
  readonly isSent: boolean
  /** Why not, or a warning of the receiver, without secrets; null if there is nothing to say. */
  readonly notice: string | null
}

/** A server that takes incidents. */
export interface IncidentTarget {
  /** Its name in logs and metrics. */
  readonly name: string
  /** How many incidents one request takes. */
  readonly batchSize: number
  /** Sends incidents; never rejects. */
  send(incidents: readonly Incident[]): Promise<SendOutcome>
  /** Makes no second attempt from now on, so that sending what is left ends soon. */
  stop(): void
  /** Ends what is still being sent: nothing waits for it any more. */
  abandon(): void
}

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
