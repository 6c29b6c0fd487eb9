/** A client by what is known of him: an account that was erased has neither name nor address. */
export function nameClient({ name, email }: { name: string | null; email: string }) {
  if (name !== null && name !== '') return name
  return email === '' ? 'Erased account' : email
}
