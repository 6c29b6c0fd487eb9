/** Tells password managers which account a form is about; they ignore inputs of the type `hidden`. */
export function UsernameHint({ email = '' }: { email?: string | undefined }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden aria-hidden tabIndex={-1} />
}
