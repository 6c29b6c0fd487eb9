/** The values that the client has typed for constants, by their names. */
export type ConstantValues = Readonly<Record<string, string>>

const CONSTANT = /<<([A-Za-z]\w{0,63})>>/g

/** The names of the constants that still occur as `<<name>>` in a text, once each, in order. */
export function findConstants(text: string): string[] {
  return [...new Set([...text.matchAll(CONSTANT)].map(([, name = '']) => name))]
}

/** Fills constants into the strings of a JSON text. Constants without a value stay. */
export function fillJsonConstants(jsonText: string, values: ConstantValues): string {
  return fill(jsonText, values, (value) => JSON.stringify(value).slice(1, -1))
}

/** Fills constants into the host, path or query of a URL. Constants without a value stay. */
export function fillUrlConstants(url: string, values: ConstantValues): string {
  return fill(url, values, encodeURIComponent)
}

function fill(text: string, values: ConstantValues, write: (value: string) => string): string {
  return text.replaceAll(CONSTANT, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name]?.trim() : undefined
    return value === undefined || value === '' ? whole : write(value.toWellFormed())
  })
}

/** The reason why a text cannot be saved yet: "Fill in oid and retURL"; undefined if nothing is missing. */
export function refuseUnfilled(text: string): string | undefined {
  const names = findConstants(text)
  if (names.length === 0) return undefined
  return `Fill in ${names.join(', ')}: ${names.length === 1 ? 'it stands' : 'they stand'} between << and >> until you do`
}
