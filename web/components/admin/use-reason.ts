import { useState } from 'react'
import { trimText } from '#core/contract/trim-invisible.ts'

/**
 * State of the reason that is asked for before a change. The API takes some changes without one; this page
 * never does.
 * @param refusal the error of the field if nothing was entered
 */
export function useReason(refusal = 'Say why') {
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  return {
    text,
    enter: (next: string) => {
      setText(next)
      setIsMissing(false)
    },
    fault: isMissing ? refusal : undefined,
    /** Sends the change if a reason was entered. */
    askFor: (send: () => void) => {
      if (trimText(text) === '') setIsMissing(true)
      else send()
    },
  }
}
export type Reason = ReturnType<typeof useReason>
