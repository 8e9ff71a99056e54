/** Remembers the values that were used last, up to so many. */
export class LastUsed<Value> {
  // a map keeps the order of insertion: the first one is the one that was not used for the longest time
  readonly #values = new Map<string, Value>();

  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    if (value !== undefined) this.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > this.#capacity) this.#values.delete(this.#values.keys().next().value ?? name);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }
}
