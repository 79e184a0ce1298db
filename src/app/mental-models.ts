/** Mental models, as `retain.mentalModels`. Loads the implementation on first use. */
import type {
  AddMentalModelOptions,
  MentalModelInfo,
  MentalModels,
  RefreshMentalModelsOptions,
} from "../agent/mental-models/models.ts";
import type { Refreshed } from "../agent/mental-models/refresh.ts";

export class LazyMentalModels {
  constructor(private readonly open: () => Promise<MentalModels>) {}

  /** The project's first. */
  async list(): Promise<MentalModelInfo[]> {
    return (await this.open()).list();
  }

  /** Throws `not_found`, `invalid_name`. */
  async show(name: string): Promise<MentalModelInfo> {
    return (await this.open()).show(name);
  }

  /** A built-in mental model needs no question. Throws `exists`, `usage`, `invalid_name`, `no_project`. */
  async add(name: string, question?: string, options: AddMentalModelOptions = {}): Promise<MentalModelInfo> {
    return (await this.open()).add(name, question, options);
  }

  /** Returns the outcome of each. Throws `not_found`, `interrupted`. */
  async refresh(options: RefreshMentalModelsOptions = {}): Promise<Refreshed[]> {
    return (await this.open()).refresh(options);
  }

  /** Can be undone with `undo`. Throws `not_found`, `invalid_name`. */
  async remove(name: string): Promise<Pick<MentalModelInfo, "name" | "origin" | "path">> {
    return (await this.open()).remove(name);
  }

  /** A pinned mental model is never refreshed. Throws `not_found`, `invalid_name`, `conflict`. */
  async pin(name: string, pinned = true): Promise<MentalModelInfo> {
    return (await this.open()).pin(name, pinned);
  }
}
