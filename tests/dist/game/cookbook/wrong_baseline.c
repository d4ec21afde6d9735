
int main(void)
{
    static kept server[64], client[64];
    static Snapshot world;
    uint8_t data[Snapshot_DELTA_MAX_BYTES + 16];
    Snapshot_init(&world);
    world.bodies_count = 64;
    Snapshot_quantize(&world);
    Header header = {1, 0};
    size_t size = write_update(server, &header, &world, data, sizeof data);
    printf("%d, ", read_update(client, data, size));
    keep(server, 1, &world);

    header.tick = 2;
    header.baseline = 1;
    world.bodies[7].x = 10;
    Snapshot_quantize(&world);
    size = write_update(server, &header, &world, data, sizeof data);
    client[1].snapshot.bodies[9].y += 1;
    printf("%d, ", read_update(client, data, size));
    client[1].snapshot.bodies[9].y -= 1;
    printf("%d\n", read_update(client, data, size) && Snapshot_equal(&client[2].snapshot, &world));
    return 0;
}
