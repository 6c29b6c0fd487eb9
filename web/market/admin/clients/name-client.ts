/** Names a client as well as possible: an erased account has neither name nor address. */
export function nameClient({ name, email }: { name: string | null; email: string }) {
  if (name !== null && name !== '') return name
  return email === '' ? 'Erased account' : email
}
