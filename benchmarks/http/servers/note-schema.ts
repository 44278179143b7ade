import * as v from 'valibot'

interface NoteBody {
  readonly title: string
  readonly text: string
  readonly stars: number
  readonly tags: string[]
}

/** The body of the scenario `input`, for the servers that take valibot; the others say the same. */
export const Note: v.GenericSchema<NoteBody> = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  text: v.pipe(v.string(), v.maxLength(10_000)),
  stars: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(5)),
  tags: v.pipe(v.array(v.pipe(v.string(), v.maxLength(30))), v.maxLength(10)),
})
