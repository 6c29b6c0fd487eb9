import { wordErrorClass } from '../components/error-class-words.ts'

/** Labels a reason of failure, for administrators who look at many. */
export function reasonLabel(reason: string | null) {
  return reason === null ? 'Unknown' : (wordErrorClass(reason) ?? reason)
}
