/** Formats a US number in E.164 as "(555) 010-0199"; returns any other number as it is. */
export function formatPhone(phone: string) {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone)
  return parts === null ? phone : `(${parts[1]}) ${parts[2]}-${parts[3]}`
}
