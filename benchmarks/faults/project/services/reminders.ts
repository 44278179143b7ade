import { Message } from 'framework/mail'
import type { Mailer } from 'framework/mail'
import type { Queue } from 'framework/queue'
import { planted } from '../fault.ts'

export interface Reminder {
  readonly student: string
  readonly weeks: number
}

/** Mails to those who have had an instrument for long. */
export class Reminders {
  readonly #mailer: Mailer
  readonly #queue: Queue<Reminder>

  constructor(mailer: Mailer, queue: Queue<Reminder>) {
    this.#mailer = mailer
    this.#queue = queue
  }

  async remind(email: string): Promise<void> {
    if (planted('poisoned')) await this.#queue.push({ student: email, weeks: -1 })
    if (planted('mail')) await this.#send(email, 2)
  }

  /** One job: the text says for how many weeks. */
  async run({ student, weeks }: Reminder): Promise<void> {
    if (weeks < 0) throw new RangeError(`nobody has had it for ${weeks} weeks`) // planted: poisoned
    await this.#send(student, weeks)
  }

  async #send(to: string, weeks: number): Promise<void> {
    const message = new Message({
      to,
      subject: 'Your instrument',
      text: `You have had it for ${weeks} weeks.`,
    })
    await this.#mailer.deliver(message) // planted: mail
  }
}
