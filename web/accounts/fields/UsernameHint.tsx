/** Tells password managers whose password a form is about; they pass over inputs of the type `hidden`. */
export function UsernameHint({ email = '' }: { email?: string | undefined }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden aria-hidden tabIndex={-1} />
}
