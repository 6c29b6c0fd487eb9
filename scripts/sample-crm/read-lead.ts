/**
 * The fields of a lead that the page shows; the template decides which fields arrive, so each may be missing.
 */
export interface ReadLead {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** The fields of a body by their plain name, or why the body cannot be read. */
export type ReadBody = { readonly lead: ReadLead } | { readonly fault: 'unsupported type' | 'not readable' }

/**
 * Reads a JSON or form body. The template may nest and rename fields, so they are searched by likely names.
 */
export function readLead(contentType: string | null, body: Buffer): ReadBody {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    return {
      lead: pick(
        new Map([...new URLSearchParams(body.toString('utf8'))].map(([key, value]) => [plain(key), value])),
      ),
    }
  }
  if (type !== 'application/json') return { fault: 'unsupported type' }
  try {
    return { lead: pick(collectFields(JSON.parse(body.toString('utf8')))) }
  } catch {
    return { fault: 'not readable' }
  }
}

/**
 * Uses its own stack: a hostile body may be nested deeper than recursion can go. Outer fields take
 * precedence.
 */
function collectFields(root: unknown): Map<string, string> {
  const fields = new Map<string, string>()
  const waiting: unknown[] = [root]
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && inner !== '' && !fields.has(plain(key))) fields.set(plain(key), inner)
      else waiting.push(inner)
    }
  }
  return fields
}

function pick(fields: ReadonlyMap<string, string>): ReadLead {
  const first = (...names: string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined)
  const parts = [first('firstname'), first('lastname')].filter((part) => part !== undefined).join(' ')
  return {
    name: first('name', 'fullname', 'leadname') ?? (parts === '' ? null : parts),
    email: first('email', 'emailaddress', 'leademail') ?? null,
    phone: first('phone', 'phonenumber', 'mobile', 'leadphone') ?? null,
  }
}

/** `contact.first_name`, `firstName` and `First Name` count as one name. */
function plain(key: string): string {
  return key
    .slice(key.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
