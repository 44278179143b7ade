/** What nothing is: a parameter of this type refuses every value, and the compiler shows the reason. */
export interface Refused<out Reason extends string> {
  readonly refused: Reason
}
