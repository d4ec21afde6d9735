/* Plays a match: main SEED SECONDS SPEED FILE. All is integers, in centimetres and half degrees, so that it is the same on
 * every machine. SPEED is in per cent. */
enum { TICKS_A_SECOND = 20 };

typedef struct walker {
    int32_t x, y, vx, vy, yaw, turn, health, pause;
} walker;

static uint64_t random_state;

/* From low to high. */
static int32_t between(int32_t low, int32_t high)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int32_t)((random_state >> 33) % (uint64_t)(high - low + 1));
}

static void walk(walker *w, int32_t speed)
{
    if (w->pause > 0) {
        w->pause--;
        return;
    }
    if (between(0, 39) == 0) { /* another way, or a rest */
        w->vx = between(-30, 30) * speed / 100;
        w->vy = between(-30, 30) * speed / 100;
        w->turn = between(-9, 9);
        w->pause = between(0, 2) == 0 ? between(10, 100) : 0;
    }
    if (w->x + w->vx < -12000 || w->x + w->vx > 12000)
        w->vx = -w->vx;
    if (w->y + w->vy < -12000 || w->y + w->vy > 12000)
        w->vy = -w->vy;
    w->x += w->vx + between(-1, 1);
    w->y += w->vy + between(-1, 1);
    w->yaw = (w->yaw + w->turn + 720) % 720;
    w->turn = w->turn * 7 / 8;
    if (between(0, 99) == 0)
        w->health = between(1, 100);
}

int main(int argc, char **argv)
{
    static walker walkers[48];
    static World world;
    if (argc != 5)
        return 2;
    FILE *file = fopen(argv[4], "wb");
    bool good = file != NULL;
    random_state = (uint64_t)atoi(argv[1]) * 7919;
    World_init(&world);
    for (int i = 0; i < 48; i++)
        walkers[i] = (walker){between(-9000, 9000), between(-9000, 9000), 0, 0, 0, 0, 100, 0};
    for (int t = 0; good && t < atoi(argv[2]) * TICKS_A_SECOND; t++) {
        for (int i = 0; i < 48; i++) {
            const walker *w = &walkers[i];
            walk(&walkers[i], atoi(argv[3]));
            world.bodies[i].x = (float)w->x / 100;
            world.bodies[i].y = (float)w->y / 100;
            world.bodies[i].yaw = (float)w->yaw / 2;
            world.bodies[i].health = (uint8_t)w->health;
        }
        good = note(file, &world);
    }
    return good && fclose(file) == 0 ? 0 : 1;
}
