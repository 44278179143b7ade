import * as v from 'valibot'

interface NoteBody {
  readonly title: string
  readonly text: string
  readonly priority: number
}

/** A note as programs send it. */
export const NoteSchema: v.GenericSchema<NoteBody> = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  text: v.pipe(v.string(), v.maxLength(2000)),
  priority: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3)),
})
