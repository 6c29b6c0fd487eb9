/**
 * Asks at most once in a while, however often it is called; callers in between share the last answer. A failure is not kept.
 * @param now a clock in milliseconds that never goes back
 */
export function keepFor<Answer>(
  milliseconds: number,
  ask: () => Promise<Answer>,
  now: () => number = () => performance.now(),
): () => Promise<Answer> {
  let kept: { answer: Promise<Answer>; until: number } | undefined
  return async () => {
    if (kept === undefined || now() >= kept.until) {
      const answer = ask()
      kept = { answer, until: now() + milliseconds }
      answer.catch(() => {
        kept = undefined
      })
    }
    return await kept.answer
  }
}
